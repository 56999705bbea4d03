// A tree of items in document order: which are folded, which are left out, which rows that leaves.
//
// In: for each item the number of the one that holds it, -1 at the top. Out: `rows`, the numbers of
// the items to be seen. All of it is flat arrays: a hundred thousand items cost a few milliseconds.

class Outline {
  constructor(parents) {
    const count = parents.length;
    this.parents = parents;
    this.count = count;
    this.ends = new Int32Array(count); // the first item behind all that an item holds
    this.depths = new Int32Array(count);
    this.places = new Int32Array(count); // among those that the same item holds, from 1
    this.held = new Int32Array(count + 1); // how many an item holds; the last: how many the top does
    this.folded = new Uint8Array(count);
    this.unfolded = this.folded; // what was folded before anything was left out
    this.kept = null; // null: all are
    this.measure();
    this.refresh();
  }

  measure() {
    const { parents, count, ends } = this;
    for (let item = 0; item < count; item++) {
      const parent = parents[item];
      this.depths[item] = parent < 0 ? 0 : this.depths[parent] + 1;
      this.places[item] = ++this.held[parent < 0 ? count : parent];
    }
    for (let item = count - 1; item >= 0; item--) {
      if (ends[item] === 0) ends[item] = item + 1;
      const parent = parents[item];
      if (parent >= 0 && ends[parent] === 0) ends[parent] = ends[item];
    }
  }

  refresh() {
    const { count, ends, folded, kept } = this;
    const rows = new Int32Array(count);
    let length = 0;
    for (let item = 0; item < count; ) {
      if (kept && !kept[item]) {
        item = ends[item];
        continue;
      }
      rows[length++] = item;
      item = folded[item] ? ends[item] : item + 1;
    }
    this.rows = rows.subarray(0, length);
  }

  // Leaves out what is not in the list, but for what leads there; null: nothing.
  keep(items) {
    if (items === null) {
      this.kept = null;
      this.folded = this.unfolded;
    } else {
      this.kept = new Uint8Array(this.count);
      this.folded = new Uint8Array(this.count);
      for (let item of items) {
        while (item >= 0 && !this.kept[item]) {
          this.kept[item] = 1;
          item = this.parents[item];
        }
      }
    }
    this.refresh();
  }

  hasInside(item) {
    if (!this.held[item]) return false;
    if (!this.kept) return true;
    for (let inner = item + 1; inner < this.ends[item]; inner = this.ends[inner]) {
      if (this.kept[inner]) return true;
    }
    return false;
  }

  fold(items, isFolded) {
    for (const item of items) if (this.held[item]) this.folded[item] = isFolded ? 1 : 0;
    this.refresh();
  }

  // All of them, but the top.
  foldAll(isFolded) {
    for (let item = 0; item < this.count; item++) {
      this.folded[item] = isFolded && this.held[item] && this.parents[item] >= 0 ? 1 : 0;
    }
    this.refresh();
  }

  // Opens all that hides an item; false if it is left out.
  reveal(item) {
    if (this.kept && !this.kept[item]) return false;
    for (let above = this.parents[item]; above >= 0; above = this.parents[above]) {
      this.folded[above] = 0;
    }
    this.refresh();
    return true;
  }

  // Where an item is among the rows; of one that is hidden, the nearest above that is not.
  rowOf(item) {
    for (; item >= 0; item = this.parents[item]) {
      const row = this.search(item);
      if (row >= 0) return row;
    }
    return this.rows.length ? 0 : -1;
  }

  search(item) {
    let low = 0;
    let high = this.rows.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle] === item) return middle;
      if (this.rows[middle] < item) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  siblings(item) {
    const parent = this.parents[item];
    const found = [];
    let inner = parent < 0 ? 0 : parent + 1;
    const end = parent < 0 ? this.count : this.ends[parent];
    for (; inner < end; inner = this.ends[inner]) found.push(inner);
    return found;
  }
}
