package main

import (
	"encoding/json"
	"fmt"
)

// tensor is one float32 array of the package, row by row, little-endian.
type tensor struct {
	shape []int
	data  []byte
}

// readTensors reads the TensorFlow.js layout: model.json lists groups of shard
// files; a group's shards joined are its tensors' values, one after another in
// the order of the manifest. Constants of type int32 are shapes and axes of
// the graph, which the Go code knows by itself: they are passed over.
func readTensors(files map[string][]byte) (map[string]tensor, error) {
	var model struct {
		WeightsManifest []struct {
			Paths   []string `json:"paths"`
			Weights []struct {
				Name  string `json:"name"`
				Shape []int  `json:"shape"`
				DType string `json:"dtype"`
			} `json:"weights"`
		} `json:"weightsManifest"`
	}
	if err := json.Unmarshal(files["dist/model.json"], &model); err != nil {
		return nil, fmt.Errorf("read model.json: %w", err)
	}
	tensors := map[string]tensor{}
	for _, group := range model.WeightsManifest {
		var data []byte
		for _, path := range group.Paths {
			data = append(data, files["dist/"+path]...)
		}
		for _, w := range group.Weights {
			size := 4 // of both types
			for _, d := range w.Shape {
				size *= d
			}
			if size > len(data) {
				return nil, fmt.Errorf("tensor %q: %d bytes wanted, %d left in the shards", w.Name, size, len(data))
			}
			if w.DType == "float32" {
				tensors[w.Name] = tensor{shape: w.Shape, data: data[:size]}
			}
			data = data[size:]
		}
		if len(data) > 0 {
			return nil, fmt.Errorf("%d bytes of the shards belong to no tensor", len(data))
		}
	}
	return tensors, nil
}

// tensorName maps a name of the graph to its short name in weights.bin.
type tensorName struct{ short, source string }

// tensorNames lists what the encoder needs, in the order of weights.bin. Some
// constants of the graph carry the prefix of the apply function, depending on
// which of the exporter's passes made them.
func tensorNames() []tensorName {
	const (
		raw    = "module/"
		apply  = "module_apply_default/"
		kona   = "Encoder_en/KonaTransformer/Encode/"
		folded = "/ConcatPartitions/concat"
		stack  = apply + kona + "TransformerStack/"
	)
	names := []tensorName{
		{"embeddings", raw + "Embeddings_en"},
		{"timing", stack + "Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1"},
	}
	for _, layer := range []string{"0", "1"} {
		short := "layer" + layer + "."
		inner := kona + "Layer_" + layer + "/TransformerLayer/"
		if layer == "0" { // only here do the widths of input and output differ
			names = append(names,
				tensorName{short + "residual.kernel", apply + inner + "dense/kernel" + folded},
				tensorName{short + "residual.bias", apply + inner + "dense/bias" + folded})
		}
		ffn := "Layer_" + layer + "/TransformerLayer/FFN/"
		names = append(names,
			tensorName{short + "norm.scale", apply + inner + "layer_prepostprocess/layer_norm/layer_norm_scale" + folded},
			tensorName{short + "norm.bias", apply + inner + "layer_prepostprocess/layer_norm/layer_norm_bias" + folded},
			tensorName{short + "qkv.kernel", raw + inner + "MultiheadAttention/qkv_transform_single/kernel/part_0"},
			tensorName{short + "qkv.bias", apply + inner + "MultiheadAttention/qkv_transform_single/bias" + folded},
			tensorName{short + "out.kernel", raw + inner + "MultiheadAttention/output_transform_single/kernel/part_0"},
			tensorName{short + "out.bias", apply + inner + "MultiheadAttention/output_transform_single/bias" + folded},
			tensorName{short + "ffn.norm.scale", apply + inner + "FFN/layer_prepostprocess/layer_norm/layer_norm_scale" + folded},
			tensorName{short + "ffn.norm.bias", apply + inner + "FFN/layer_prepostprocess/layer_norm/layer_norm_bias" + folded},
			tensorName{short + "ffn.in.kernel", stack + ffn + "conv1/Tensordot/Reshape_1"},
			tensorName{short + "ffn.in.bias", apply + inner + "FFN/conv1/bias" + folded},
			tensorName{short + "ffn.out.kernel", stack + ffn + "conv2/Tensordot/Reshape_1"},
			tensorName{short + "ffn.out.bias", apply + inner + "FFN/conv2/bias" + folded})
	}
	return append(names,
		tensorName{"tanh.kernel", raw + "Encoder_en/hidden_layers/tanh_layer_0/weights"},
		tensorName{"tanh.bias", raw + "Encoder_en/hidden_layers/tanh_layer_0/bias"})
}
