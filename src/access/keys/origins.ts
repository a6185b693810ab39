/**
 * Parses an origin that a key is bound to: scheme, host and port, with `*.` allowed before the host.
 *
 * @returns A sentence describing the fault if it is not an origin.
 */
export function parseOrigin(text: string): { origin: string } | { fault: string } {
  const fault = {
    fault: `${JSON.stringify(text)} is not an origin such as https://docs.example.com or https://*.example.com.`,
  }
  const match = /^(https?):\/\/(\*\.)?([^/?#@*\s]+)\/?$/i.exec(text.trim())
  if (match === null) return fault
  const url = URL.parse(`${match[1]}://${match[3]}`)
  return url === null ? fault : { origin: `${url.protocol}//${match[2] ?? ''}${url.host}` }
}

/** Whether a request comes from a page of this service, which may be reached by other hosts than the configured one. */
export function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  return origin === new URL(baseUrl).origin || new URL(origin).host === host
}

/** Whether a request's `Origin` matches an allowed one. `*.` stands for one or more labels. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const [scheme = '', host = ''] = entry.split('//')
    if (!host.startsWith('*.')) return entry === origin.toLowerCase()
    const suffix = host.slice(1)
    const prefix = `${scheme}//`
    const candidate = origin.toLowerCase()
    return (
      candidate.startsWith(prefix) && candidate.endsWith(suffix) && candidate.length > prefix.length + suffix.length
    )
  })
}
