export interface PolicyRequest {
  /** Names of the directives that decide, the most specific first: the others are fallbacks. */
  directives: readonly string[]
  /** What is to be loaded. */
  target: URL
  /** The page that loads it. */
  page: URL
  /** Nonce of the script tag. */
  nonce?: string | undefined
}

/**
 * Whether content security policies let a page load something, as browsers decide it.
 *
 * @param policies Values of the header or meta element; all have to allow it.
 * @returns The name of the first directive that refuses; null if all allow it.
 * @see Content Security Policy Level 3, section 6.7.2.
 */
export function findRefusingDirective(policies: readonly string[], request: PolicyRequest): string | null {
  for (const policy of policies) {
    const directives = readDirectives(policy)
    const name = request.directives.find((each) => directives.has(each))
    if (name !== undefined && !allows(directives.get(name) ?? [], request)) return name
  }
  return null
}

/** If a directive is repeated, the first one counts. */
function readDirectives(policy: string): Map<string, string[]> {
  const directives = new Map<string, string[]>()
  for (const part of policy.split(';')) {
    const [name, ...sources] = part.trim().split(/\s+/)
    if (name !== undefined && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  return directives
}

function allows(sources: readonly string[], { nonce, ...request }: PolicyRequest): boolean {
  if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true
  // Sources by host count for nothing then.
  if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false
  return sources.some((source) => matches(source.toLowerCase(), request))
}

function matches(source: string, { target, page }: Pick<PolicyRequest, 'target' | 'page'>): boolean {
  if (source === '*') return /^https?:$/.test(target.protocol)
  if (source === "'self'") return target.origin === page.origin
  if (/^[a-z][a-z\d+.-]*:$/.test(source)) return isScheme(source, target)
  const match = /^(?:([a-z][a-z\d+.-]*:)\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(source)
  if (match === null) return false
  const [, scheme = page.protocol, host = '', port, path] = match
  return isScheme(scheme, target) && isHost(host, target) && isPort(port, scheme, target) && isPath(path, target)
}

/** A policy that names `http:` also allows what is better. */
function isScheme(scheme: string, { protocol }: URL): boolean {
  return protocol === scheme || (scheme === 'http:' && protocol === 'https:')
}

function isHost(host: string, { hostname }: URL): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
}

function isPort(port: string | undefined, scheme: string, target: URL): boolean {
  if (port === '*') return true
  const own = target.port || (target.protocol === 'https:' ? '443' : '80')
  if (port !== undefined) return port === own || (port === '80' && own === '443')
  return target.port === '' || (scheme === target.protocol && target.port === '')
}

function isPath(path: string | undefined, { pathname }: URL): boolean {
  if (path === undefined) return true
  return path.endsWith('/') ? pathname.toLowerCase().startsWith(path) : pathname.toLowerCase() === path
}
