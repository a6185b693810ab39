/** A least-recently-used cache with a maximum total weight. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string | number, { value: Value; weight: number }>()
  private readonly weightMax: number
  private weight = 0

  constructor(weightMax: number) {
    this.weightMax = weightMax
  }

  get(key: string | number): Value | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    // A Map iterates in insertion order, so the front is the least recently used.
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  /** A value heavier than the whole cache is not stored. */
  set(key: string | number, value: Value, weight: number): void {
    this.delete(key)
    if (weight > this.weightMax) return
    this.entries.set(key, { value, weight })
    this.weight += weight
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.weightMax) return
      this.delete(oldest)
    }
  }

  private delete(key: string | number): void {
    this.weight -= this.entries.get(key)?.weight ?? 0
    this.entries.delete(key)
  }
}
