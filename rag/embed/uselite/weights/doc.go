// Package weights reads and writes weights.bin, the one file that holds the
// USE-lite model: its vocabulary and its tensors.
//
// The build tool tools/pack-use-lite writes it from the published package, and
// package uselite embeds and reads it. Both use this package, so the format is
// defined in one place. Matrices are stored as float16, which halves the file;
// vectors stay float32, because they cost nothing.
//
// Format, all numbers little-endian:
//
//	magic       8 bytes  "USELITE" and the format version, '1'
//	vocabulary  uint32 count, then per entry
//	            float64 score, uint8 length, that many bytes of UTF-8
//	tensors     uint32 count, then per tensor
//	            uint8 length and name, uint8 kind (0 float32, 1 float16),
//	            uint8 rank, uint32 per dimension, then the values row by row
//	checksum    32 bytes, SHA-256 of everything before it
//
// An entry's place in the vocabulary is its id and its row in the tensor
// "embeddings".
package weights
