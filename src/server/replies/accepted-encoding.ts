export type Encoding = 'br' | 'gzip'

/** Best first. */
const encodings: readonly Encoding[] = ['br', 'gzip']

/**
 * The encodings a client accepts, preferred first; among equals, the smallest result first.
 *
 * @param accepted `Accept-Encoding` header; if absent, no encoding is accepted.
 * @see RFC 9110, section 12.5.3.
 */
export function listAcceptedEncodings(accepted: string | undefined): Encoding[] {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? '').split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(coding.replace(/^x-/, ''), weight === undefined ? 1 : Number(weight) || 0)
  }
  const weigh = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  return encodings.filter((encoding) => weigh(encoding) > 0).toSorted((a, b) => weigh(b) - weigh(a))
}
