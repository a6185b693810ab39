/** What a server process under measurement answers to its parent. */
export interface ServerReport {
  /** Processor time of the whole process since its start, all threads. */
  cpuMs: number
  rssMb: number
}

/** Tells the parent the port, then reports whenever it is asked, and ends with the parent. */
export function serveMeasurements(port: number): void {
  process.send?.({ port })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const report: ServerReport = { cpuMs: (user + system) / 1_000, rssMb: process.memoryUsage.rss() / 2 ** 20 }
    process.send?.(report)
  })
  process.on('disconnect', () => process.exit(0))
}
