interface Entry<Value> {
  value: Value
  weight: number
}

/**
 * A cache with a maximum total weight, which forgets what was not used lately.
 *
 * Entries are in two generations. Once the young one has half of the weight, it replaces the old one. Using an old entry
 * makes it young; using a young one changes nothing, while an exact order of use would move it each time.
 */
export class BoundedCache<Value> {
  private readonly weightMax: number
  private young = new Map<string | number, Entry<Value>>()
  private old = new Map<string | number, Entry<Value>>()
  private youngWeight = 0
  private oldWeight = 0

  constructor(weightMax: number) {
    this.weightMax = weightMax
  }

  get(key: string | number): Value | undefined {
    const entry = this.young.get(key)
    if (entry !== undefined) return entry.value
    const aged = this.takeOld(key)
    if (aged !== undefined) this.add(key, aged)
    return aged?.value
  }

  /** A value heavier than the whole cache is not stored. */
  set(key: string | number, value: Value, weight: number): void {
    this.takeOld(key)
    this.youngWeight -= this.young.get(key)?.weight ?? 0
    this.young.delete(key)
    if (weight <= this.weightMax) this.add(key, { value, weight })
  }

  private takeOld(key: string | number): Entry<Value> | undefined {
    const entry = this.old.get(key)
    if (entry === undefined) return undefined
    this.old.delete(key)
    this.oldWeight -= entry.weight
    return entry
  }

  private add(key: string | number, entry: Entry<Value>): void {
    if (this.youngWeight + entry.weight > this.weightMax / 2) this.age()
    // A value of more than half leaves no room for the others.
    if (this.youngWeight + this.oldWeight + entry.weight > this.weightMax) this.dropOld()
    this.young.set(key, entry)
    this.youngWeight += entry.weight
  }

  private age(): void {
    this.old = this.young
    this.oldWeight = this.youngWeight
    this.young = new Map()
    this.youngWeight = 0
  }

  private dropOld(): void {
    this.old = new Map()
    this.oldWeight = 0
  }
}
