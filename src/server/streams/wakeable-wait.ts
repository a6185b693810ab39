/** A wait that can be ended early. A wake between two waits ends the next one immediately. */
export class WakeableWait {
  #isWoken = false
  #end: (() => void) | null = null

  wake(): void {
    this.#isWoken = true
    this.#end?.()
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#end = null
    }
    this.#isWoken = false
  }
}
