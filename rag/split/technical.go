package split

import "unicode/utf8"

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
