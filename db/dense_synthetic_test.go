package db_test

import (
	"math"
	"math/rand/v2"
)

// cloud makes vectors that lie like those of texts: topics of varied spread in a
// space of few dimensions, documents inside the topics, and little noise in all
// directions. Neighbours are near, strangers have a cosine of about 0.2.
type cloud struct {
	rand      *rand.Rand
	dimension int
	common    []float32   // what all texts share
	basis     [][]float32 // the directions in which texts differ
	topics    []topic
}

type topic struct {
	center []float32
	spread float64
	local  [][]float32 // directions in which the texts of the topic differ
}

const (
	cloudBasis = 96
	cloudLocal = 24
)

func newCloud(r *rand.Rand, dimension, topics int) *cloud {
	c := &cloud{rand: r, dimension: dimension}
	c.common = c.noise(0.45)
	for range min(cloudBasis, dimension) {
		c.basis = append(c.basis, c.noise(1))
	}
	for range topics {
		center := append([]float32(nil), c.common...)
		for i, direction := range c.basis {
			add(center, direction, r.NormFloat64()*0.9/math.Sqrt(1+float64(i)/8)/math.Sqrt(cloudBasis/4))
		}
		t := topic{center: center, spread: 0.25 + 0.75*r.Float64()}
		for range min(cloudLocal, dimension) {
			direction := make([]float32, dimension)
			for range 4 {
				add(direction, c.basis[r.IntN(len(c.basis))], r.NormFloat64()/2)
			}
			t.local = append(t.local, direction)
		}
		c.topics = append(c.topics, t)
	}
	return c
}

// noise is a random direction of about the length.
func (c *cloud) noise(length float64) []float32 {
	v := make([]float32, c.dimension)
	for i := range v {
		v[i] = float32(c.rand.NormFloat64() * length / math.Sqrt(float64(c.dimension)))
	}
	return v
}

// near is a point about as far from the other as the spread, inside the topic.
func (c *cloud) near(t topic, point []float32, spread float64) []float32 {
	v := append([]float32(nil), point...)
	for i, direction := range t.local {
		add(v, direction, c.rand.NormFloat64()*spread/math.Sqrt(1+float64(i)/4)/math.Sqrt(cloudLocal/3))
	}
	return v
}

// document is where a document of the topic lies.
func (c *cloud) document(topic int) []float32 {
	t := c.topics[topic]
	return c.near(t, t.center, t.spread*0.8)
}

// sentence is the vector of a sentence of the document.
func (c *cloud) sentence(topic int, document []float32) []float32 {
	t := c.topics[topic]
	v := c.near(t, document, t.spread*0.7)
	add(v, c.noise(0.25), 1)
	return unit(v)
}

// question is what somebody asks about a sentence in words of their own.
func (c *cloud) question(sentence []float32) []float32 {
	v := append([]float32(nil), sentence...)
	for _, direction := range c.basis {
		add(v, direction, c.rand.NormFloat64()*0.6/math.Sqrt(cloudBasis))
	}
	add(v, c.noise(0.25), 1)
	return unit(v)
}

func add(to, direction []float32, times float64) {
	for i, x := range direction {
		to[i] += float32(times) * x
	}
}

func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}
