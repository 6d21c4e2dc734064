package uselite

// kernel names the code that computes one tile of a matrix product. Each
// architecture's file says which there are, how large their tiles are, and how
// to call them. All give the same vectors but for rounding.
type kernel uint8

// kernelGo is the kernel that runs everywhere.
const kernelGo kernel = 0
