/** Processor time of this thread so far, in milliseconds. Unlike elapsed time, it does not grow while other programs run. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
