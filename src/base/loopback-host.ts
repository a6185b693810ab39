/** Whether a host name of a URL, or an address to listen on, means this machine, so that nobody is on the way to it. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(hostname)
}
