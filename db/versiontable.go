package db

// versionTable gives versions, which are above 0, their slots. A search asks it
// for every version of every term, which takes a map of Go twice the time of the
// scores themselves. It is a table of open addresses (Knuth, The Art of Computer
// Programming, vol. 3, 6.4, algorithm L).
type versionTable struct {
	versions []int64 // 0 is free; the length is a power of two
	slots    []int32
	used     int
}

const smallTable = 1 << 10

// at gives the place of a version, or the free one where it belongs.
func (t *versionTable) at(version int64) int {
	mask := len(t.versions) - 1
	i := int(uint64(version)*0x9e3779b97f4a7c15>>32) & mask
	for t.versions[i] != 0 && t.versions[i] != version {
		i = (i + 1) & mask
	}
	return i
}

func (t *versionTable) get(version int64) (slot int32, found bool) {
	if t.used == 0 {
		return 0, false
	}
	i := t.at(version)
	if t.versions[i] == 0 {
		return 0, false
	}
	return t.slots[i], true
}

func (t *versionTable) put(version int64, slot int32) {
	if 2*t.used >= len(t.versions) {
		t.grow()
	}
	i := t.at(version)
	if t.versions[i] == 0 {
		t.used++
		t.versions[i] = version
	}
	t.slots[i] = slot
}

func (t *versionTable) grow() {
	old := *t
	size := max(smallTable, 2*len(old.versions))
	*t = versionTable{versions: make([]int64, size), slots: make([]int32, size)}
	for i, version := range old.versions {
		if version != 0 {
			t.put(version, old.slots[i])
		}
	}
}

func (t *versionTable) clear() {
	clear(t.versions)
	t.used = 0
}
