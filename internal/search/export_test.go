package search

// Compacting reports whether the full text of x is being rewritten.
func Compacting(x *Index) bool {
	x.writer.Lock()
	defer x.writer.Unlock()
	return x.compact != nil
}
