package text

import (
	"unicode"
	"unicode/utf8"
)

// WordMax is the most characters of a folded word that count; the rest of a
// longer word is ignored, in notes and queries alike.
const WordMax = 64

// wordBytes is the most bytes a folded word has.
const wordBytes = 255

// charBytes is the most bytes the folding of one CJK character has.
const charBytes = 64

// Kind says what a token is.
type Kind uint8

const (
	// Word is a run of letters, digits and marks.
	Word Kind = iota
	// Char is one character of a script that is written without spaces.
	Char
	// Pair is a [Char] with the one that follows it directly. It has the
	// position of its first character.
	Pair
)

// Scanner walks over the tokens of a text without allocating. The zero
// Scanner is at the end of an empty text. It must not be used by two
// goroutines at once.
type Scanner struct {
	s          string
	i          int // next byte to read
	pos        int // position of the next word
	kind       Kind
	plain      bool // the word is s[start:end] as it stands
	paired     bool // next holds the character after the one just returned
	moved      bool // the pair has been returned; next is the next token
	start, end int
	nextEnd    int
	n, nextN   int // bytes used of word and next
	word       [wordBytes + 1]byte
	next       [charBytes]byte
}

// Reset makes sc start at the beginning of s.
func (sc *Scanner) Reset(s string) { sc.ResetAt(s, 0) }

// ResetAt makes sc start at byte i of s, with word position 0.
func (sc *Scanner) ResetAt(s string, i int) {
	sc.s, sc.i, sc.pos, sc.paired, sc.moved = s, i, 0, false, false
}

// Word returns the folded token. It is valid until the next call of Scan.
func (sc *Scanner) Word() []byte { return sc.word[:sc.n] }

// Text returns the folded token as a string of its own or of the text.
func (sc *Scanner) Text() string {
	if sc.plain {
		return sc.s[sc.start:sc.end]
	}
	return string(sc.word[:sc.n])
}

// Span returns where in the text the token stands, in bytes.
func (sc *Scanner) Span() (start, end int) { return sc.start, sc.end }

// Pos returns the token's word position, counted from 0.
func (sc *Scanner) Pos() int { return sc.pos - 1 }

// Kind returns what the token is.
func (sc *Scanner) Kind() Kind { return sc.kind }

// Scan moves to the next token and reports whether there is one.
func (sc *Scanner) Scan() bool {
	if sc.paired {
		return sc.scanPair()
	}
	if sc.moved {
		sc.moved = false
		sc.start, sc.end = sc.i, sc.nextEnd
		sc.n = copy(sc.word[:], sc.next[:sc.nextN])
		sc.i = sc.nextEnd
		return sc.char()
	}
	s := sc.s
	for sc.i < len(s) {
		c := s[sc.i]
		if c < utf8.RuneSelf {
			if ascii[c] == 0 {
				sc.i++
				continue
			}
			return sc.scanWord()
		}
		r, size := utf8.DecodeRuneInString(s[sc.i:])
		switch classOf(r) {
		case letter:
			if sc.scanWord() {
				return true
			}
		case unspaced:
			sc.start = sc.i
			sc.end = charEnd(s, sc.i+size)
			sc.n = foldChar(sc.word[:charBytes], s[sc.start:sc.end])
			sc.i = sc.end
			return sc.char()
		default:
			sc.i += size
		}
	}
	return false
}

// char completes a Char token and looks whether another follows.
func (sc *Scanner) char() bool {
	sc.kind, sc.plain = Char, false
	sc.pos++
	if sc.i >= len(sc.s) || sc.s[sc.i] < utf8.RuneSelf {
		return true
	}
	r, size := utf8.DecodeRuneInString(sc.s[sc.i:])
	if classOf(r) != unspaced {
		return true
	}
	sc.nextEnd = charEnd(sc.s, sc.i+size)
	sc.nextN = foldChar(sc.next[:], sc.s[sc.i:sc.nextEnd])
	sc.paired = true
	return true
}

func (sc *Scanner) scanPair() bool {
	sc.paired, sc.moved, sc.kind = false, true, Pair
	sc.n += copy(sc.word[sc.n:], sc.next[:sc.nextN])
	sc.end = sc.nextEnd
	return true
}

// scanWord reads the word that begins at sc.i. It reports false, past the
// word, when nothing of it is left by folding.
func (sc *Scanner) scanWord() bool {
	s, i, start := sc.s, sc.i, sc.i
	simple, changed := true, byte(0) // all ASCII so far; bits in which folding differs
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			l := ascii[c]
			if l == 0 {
				break
			}
			if n := i - start; n < WordMax {
				sc.word[n] = l
			}
			changed |= l ^ c
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if k := classOf(r); k != letter && k != mark {
			break
		}
		simple = false
		i += size
	}
	sc.start, sc.end, sc.i, sc.kind = start, i, i, Word
	sc.plain = simple && changed == 0 && i-start <= WordMax
	sc.n = min(i-start, WordMax)
	if !simple {
		sc.n = sc.foldWord(s[start:i])
	}
	if sc.n == 0 {
		return false
	}
	sc.pos++
	return true
}

// foldWord puts the folding of w into sc.word and returns its length.
func (sc *Scanner) foldWord(w string) int {
	if len(w) <= 64 { // so that no folding outgrows the buffer
		var buf [wordBytes + 1]byte
		if out, ok := foldSimple(buf[:0], w); ok && !hasSeparator(out) {
			return cut(sc.word[:], out)
		}
	}
	folded := Fold(w) // a fraction or a ligature can bring in what is no letter
	out := make([]byte, 0, len(folded))
	for _, r := range folded {
		if r < utf8.RuneSelf && ascii[r] == 0 {
			continue
		}
		if r >= utf8.RuneSelf && classOf(r) == separator {
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return cut(sc.word[:], out)
}

// hasSeparator reports whether folding may have brought a separator into w.
func hasSeparator(w []byte) bool {
	for _, c := range w {
		if c < utf8.RuneSelf && ascii[c] == 0 || c == 0xE2 { // 0xE2 begins all general punctuation
			return true
		}
	}
	return false
}

// cut copies the first WordMax characters of w, at most wordBytes, to dst and
// returns their length in bytes.
func cut(dst, w []byte) int {
	n, runes := 0, 0
	for n < len(w) && runes < WordMax {
		_, size := utf8.DecodeRune(w[n:])
		if n+size > wordBytes {
			break
		}
		n += size
		runes++
	}
	return copy(dst, w[:n])
}

// charEnd returns where the character ends whose first rune ends at i: marks
// and joining parts belong to it.
func charEnd(s string, i int) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[i:])
		if classOf(r) != mark {
			break
		}
		i += size
	}
	return i
}

// foldChar puts the folding of one CJK character into dst and returns its
// length in bytes.
func foldChar(dst []byte, c string) int {
	if r, size := utf8.DecodeRuneInString(c); size == len(c) && foldsToItself(r) {
		return copy(dst, c)
	}
	folded := Fold(c)
	if folded == "" {
		folded = c
	}
	for len(folded) > len(dst) {
		_, size := utf8.DecodeLastRuneInString(folded)
		folded = folded[:len(folded)-size]
	}
	return copy(dst, folded)
}

// class is what a rune does in the text.
type class uint8

const (
	separator class = iota
	letter          // starts or continues a word
	mark            // continues the word or character before it
	unspaced        // is a word of its own
)

// ascii maps letters and digits to their lower case, all else to 0.
var ascii = func() (t [utf8.RuneSelf]uint8) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()

// classOf returns the class of a rune outside ASCII.
func classOf(r rune) class {
	switch {
	case r < 0xC0:
		if r == 0xAD {
			return mark
		}
	case r < 0x300:
		if r == 0xD7 || r == 0xF7 {
			return separator
		}
		if r < 0x2B0 {
			return letter
		}
	case r < 0x370:
		return mark
	case r >= 0x2000 && r <= 0x206F:
		if isInvisible(r) {
			return mark
		}
		return separator
	case foldsToItself(r) || r == 0x30FC: // the kana's long vowel, which no script claims
		return unspaced
	case r >= 0x3000 && r <= 0x3004 || r >= 0x3008 && r <= 0x3020 || r >= 0xFF01 && r <= 0xFF0F:
		return separator
	}
	return classOfAny(r)
}

func classOfAny(r rune) class {
	switch {
	case r == 0xFF9E || r == 0xFF9F: // halfwidth voicing marks
		return mark
	case r >= 0x1160 && r <= 0x11FF || r >= 0xD7B0 && r <= 0xD7FB: // vowels and finals of decomposed Hangul
		return mark
	case r == 0xFF70: // halfwidth long vowel
		return unspaced
	case unicode.Is(unicode.M, r):
		return mark
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return separator
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan):
		return unspaced
	}
	return letter
}
