/** Where git and the programs that this process starts are looked up: the only variable that they inherit. */
export function readExecutablePath(): string {
  return process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
}
