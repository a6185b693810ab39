import { activeTraceHeaders, runInSpan } from './work-context.ts'

/**
 * A `fetch` that makes whom it calls a part of the trace (W3C Trace Context), and its calls spans. Their attributes
 * name the host and nothing of the path, which may hold a secret.
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
