/** Whether a host name of a URL, or an address to listen on, is this machine, so that nobody can intercept the traffic. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(hostname)
}
