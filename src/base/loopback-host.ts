/** Whether a URL's host name, or an address to listen on, is this machine, where traffic cannot be intercepted. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(hostname)
}
