package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// follower is what stands after a possible end of a sentence.
type follower struct {
	first     rune   // the first rune behind opening signs
	lower     bool   // that is lower case, and no name such as iPhone or eGFR
	upper     bool   // that is upper case, or such a name
	word      string // the letters it starts, at most 14 bytes
	at        int    // where it stands
	digit     bool   // that is a digit
	bracket   bool   // an opening bracket is before it
	remark    bool   // and it is the first sign
	code      bool   // it is code
	technical bool   // it is a path, a file, a command: "kubectl", "a.b.c"
	dash      bool   // a dash is before it
	initial   bool   // the word is one letter with a full stop
	short     bool   // the word has up to three letters and a full stop
	marker    bool   // it is the marker of a list item: "ii)", "(b)", "-"
	continues bool   // it goes on with the sentence around a quotation
}

func (b *breaker) follower(i int) follower {
	f := follower{at: i}
	for f.at < len(b.text) {
		r, n := utf8.DecodeRuneInString(b.text[f.at:])
		if r == '<' {
			n = max(n, b.tag(f.at))
		}
		switch r {
		case '(', '[', '{', '（':
			f.bracket = true
			f.remark = f.remark || f.at == i
		case '`':
			f.code = true
		case '-', '–', '—':
			f.dash = true
		case '"', '\'', '“', '‘', '„', '«', '‹', '»', '「', '『', '*', '_', '~', '¿', '¡', ' ', '#', '>', '<':
		default:
			f.first = r
		}
		if f.first != 0 {
			break
		}
		f.at += n
	}
	end := f.at
	for end < len(b.text) && end < f.at+14 {
		r, n := utf8.DecodeRuneInString(b.text[end:])
		if !unicode.IsLetter(r) {
			break
		}
		end += n
	}
	f.word = b.text[f.at:end]
	f.upper, f.lower, f.digit = unicode.IsUpper(f.first), isLower(f.first), unicode.IsDigit(f.first) || f.first == '№' || f.first == '§'
	if f.lower && len(f.word) > 1 && 'A' <= f.word[1] && f.word[1] <= 'Z' {
		f.upper, f.lower = true, false
	}
	if letters := utf8.RuneCountInString(f.word); letters > 0 && letters <= 3 && end < len(b.text) && b.text[end] == '.' {
		f.short, f.initial = true, letters == 1
	}
	if f.lower && len(f.word) == 1 && f.at == i+1 && end+1 < len(b.text) && b.text[end] == ' ' {
		// Dutch starts sentences with "'s Avonds", "'t Is".
		r, _ := utf8.DecodeRuneInString(b.text[end+1:])
		f.upper = (b.text[i] == '\'') && unicode.IsUpper(r)
		f.lower = !f.upper
	}
	f.marker = len(f.word) > 0 && len(f.word) <= 4 && end < len(b.text) && b.text[end] == ')' && (len(f.word) == 1 || isRoman(f.word))
	f.technical = f.first < utf8.RuneSelf && !f.upper && (command(f.word) || b.technicalAt(f.at)) && (f.first != '/' || f.at == i)
	switch f.first {
	case ':':
		f.continues = f.at+1 >= len(b.text) || !isDigit(b.text[f.at+1])
	case 'と', 'っ', 'の', 'な', 'は', 'が', 'を', 'に', 'も', ',', '，', '、', ';':
		f.continues = true
	}
	return f
}

// tag gives the length of the HTML tag at i, 0 when there is none.
func (b *breaker) tag(i int) int {
	end := strings.IndexByte(b.text[i:min(len(b.text), i+64)], '>')
	if end < 2 || !isWordByte(b.text[i+1]) {
		return 0
	}
	return end + 1
}

// starts says that the follower is a word that commonly starts a sentence.
func (f *follower) starts() bool { return !f.initial && starter(f.word) }

// command says that the word is the name of a program that authors write in
// lower case at the start of a sentence, too.
func command(w string) bool {
	switch w {
	case "kubectl", "kubelet", "kubeadm", "etcd", "etcdctl", "helm", "docker", "containerd", "systemd", "systemctl", "journalctl", "nginx", "curl", "ssh", "git", "npm", "pip", "sudo", "grep", "psql", "redis", "kafka", "istio", "envoy", "terraform", "ansible",
		"k8s", "openssl", "iptables", "crond", "rsync", "tcpdump", "haproxy", "vault", "consul", "prometheus", "grafana", "mysql", "postgres", "zookeeper":
		return true
	}
	return false
}

// technicalAt says that a path, a file, a flag or an identifier starts at i:
// "/etc/hosts", "a.b.c", "max_size", "i18n". A word of prose with a hyphen is none.
func (b *breaker) technicalAt(i int) bool {
	if i >= len(b.text) {
		return false
	}
	c := b.text[i]
	if i+1 >= len(b.text) || c == '/' && !isWordByte(b.text[i+1]) || c != '/' && !isLowerByte(c) {
		return false
	}
	for j := i + 1; j < len(b.text) && j-i < 64; j++ {
		c := b.text[j]
		switch {
		case isDigit(c) && j > i+1, c == '_' && j+1 < len(b.text) && isWordByte(b.text[j+1]):
			return true
		case (c == '.' || c == '/' || c == '=') && j+1 < len(b.text) && isWordByte(b.text[j+1]) && b.text[j+1] < utf8.RuneSelf && j > i+1:
			return c != '/' || b.text[i] == '/'
		case c == '(' && j+1 < len(b.text) && b.text[j+1] == ')':
			return true
		case !isLowerByte(c) && c != '.' && c != '-' && c != '/' && (c < 'A' || c > 'Z'):
			return b.text[i] == '/' && j > i+2
		}
	}
	return b.text[i] == '/'
}

func isLowerByte(c byte) bool { return 'a' <= c && c <= 'z' }
