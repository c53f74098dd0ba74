package fulltext

import (
	"encoding/binary"
	"math/bits"
)

// packed is how many numbers are packed together.
const packed = 128

// spare is how many bytes may be read past the end of packed numbers.
const spare = 8

// packedSize returns the bytes of packed numbers of width bits.
func packedSize(width int) int { return packed / 8 * width }

// widthOf returns the bits that the largest of v needs.
func widthOf(v *[packed]uint32) int {
	var all uint32
	for _, x := range v {
		all |= x
	}
	return bits.Len32(all)
}

// appendPacked appends the numbers v, each in width bits.
func appendPacked(b []byte, v *[packed]uint32, width int) []byte {
	var acc uint64
	n := 0
	for _, x := range v {
		acc |= uint64(x) << n
		n += width
		for n >= 8 {
			b = append(b, byte(acc))
			acc >>= 8
			n -= 8
		}
	}
	return b
}

// unpack reads packed numbers of width bits, at most 32, from b, which has
// spare bytes behind them.
func unpack(v *[packed]uint32, b []byte, width int) {
	switch {
	case width == 0:
		clear(v[:])
	case width <= 8:
		mask := uint32(1)<<width - 1
		for i := 0; i < packed; i += 8 {
			x := binary.LittleEndian.Uint64(b)
			b = b[width:]
			o := v[i : i+8 : i+8]
			o[0] = uint32(x) & mask
			x >>= width
			o[1] = uint32(x) & mask
			x >>= width
			o[2] = uint32(x) & mask
			x >>= width
			o[3] = uint32(x) & mask
			x >>= width
			o[4] = uint32(x) & mask
			x >>= width
			o[5] = uint32(x) & mask
			x >>= width
			o[6] = uint32(x) & mask
			x >>= width
			o[7] = uint32(x) & mask
		}
	case width <= 15:
		mask := uint32(1)<<width - 1
		half, shift := 4*width/8, 4*width%8
		for i := 0; i < packed; i += 8 {
			x := binary.LittleEndian.Uint64(b)
			y := binary.LittleEndian.Uint64(b[half:]) >> shift
			b = b[width:]
			o := v[i : i+8 : i+8]
			o[0] = uint32(x) & mask
			o[1] = uint32(x>>width) & mask
			o[2] = uint32(x>>(2*width)) & mask
			o[3] = uint32(x>>(3*width)) & mask
			o[4] = uint32(y) & mask
			o[5] = uint32(y>>width) & mask
			o[6] = uint32(y>>(2*width)) & mask
			o[7] = uint32(y>>(3*width)) & mask
		}
	default:
		mask := uint64(1)<<width - 1
		for i := range v {
			at := i * width
			v[i] = uint32(binary.LittleEndian.Uint64(b[at/8:]) >> (at % 8) & mask)
		}
	}
}
