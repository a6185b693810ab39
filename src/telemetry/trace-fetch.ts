import { activeTraceHeaders, runInSpan } from './work-context.ts'

/**
 * Wraps `fetch` to propagate the trace (W3C Trace Context) and to record calls as spans. Attributes name the host,
 * never the path, which may contain a secret.
 */
export function traceFetch(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const attributes = { 'http.request.method': method, 'server.address': url.hostname }
    return runInSpan(method, { kind: 'client', attributes }, async (span) => {
      if (span === null) return send(input, init)
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
      for (const [name, value] of Object.entries(activeTraceHeaders())) headers.set(name, String(value))
      const response = await send(input, { ...init, headers })
      span.set({ 'http.response.status_code': response.status })
      return response
    })
  }
}
