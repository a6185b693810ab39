/** What `robots.txt` asks of this crawler. */
export interface RobotsRules {
  isAllowed: (path: string) => boolean
  /** Sitemap addresses as written. */
  sitemaps: readonly string[]
  /** Milliseconds between requests; 0 if unspecified. */
  delayMs: number
}

interface Rule {
  allows: boolean
  pattern: string
}

interface Group {
  agents: string[]
  rules: Rule[]
  delaySeconds: number
}

const linesMax = 20_000
const rulesMax = 2000
const patternCharsMax = 500
/** Each wildcard multiplies the matching time. */
const wildcardsMax = 8
const delaySecondsMax = 10

export const everythingAllowed: RobotsRules = { isAllowed: () => true, sitemaps: [], delayMs: 0 }
export const nothingAllowed: RobotsRules = { isAllowed: () => false, sitemaps: [], delayMs: 0 }

/**
 * Reads `robots.txt`: the group for this crawler, else the group for all. The longest matching rule wins; of two equally
 * long rules, the one that allows.
 *
 * @param agent The name of this crawler, lower case.
 * @see https://www.rfc-editor.org/rfc/rfc9309
 */
export function readRobots(text: string, agent: string): RobotsRules {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let isOpen = false
  for (const line of text.split(/\r\n?|\n/, linesMax)) {
    const [, field = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line.replace(/#.*$/, '')) ?? []
    const name = field.toLowerCase()
    if (name === 'sitemap') sitemaps.push(value)
    else if (name === 'user-agent') {
      if (!isOpen) groups.push({ agents: [], rules: [], delaySeconds: 0 })
      groups.at(-1)?.agents.push(value.toLowerCase())
      isOpen = true
    } else if (name !== '') {
      isOpen = false
      addRule(groups.at(-1), name, value)
    }
  }
  return chooseRules(groups, agent, sitemaps)
}

function addRule(group: Group | undefined, name: string, value: string): void {
  if (group === undefined) return
  if (name === 'crawl-delay') group.delaySeconds = Math.min(delaySecondsMax, Number(value) || 0)
  const isRule = name === 'allow' || name === 'disallow'
  if (!isRule || value === '' || group.rules.length >= rulesMax || value.length > patternCharsMax) return
  if ((value.match(/\*/g) ?? []).length <= wildcardsMax) group.rules.push({ allows: name === 'allow', pattern: value })
}

function chooseRules(groups: readonly Group[], agent: string, sitemaps: readonly string[]): RobotsRules {
  const own = groups.filter(({ agents }) =>
    agents.some((name) => name !== '*' && name !== '' && agent.startsWith(name)),
  )
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen.flatMap((group) => group.rules)
  const delaySeconds = chosen.reduce((most, group) => Math.max(most, group.delaySeconds), 0)
  return {
    sitemaps,
    delayMs: delaySeconds * 1000,
    isAllowed: (path) => {
      const fitting = rules.filter(({ pattern }) => matchesPattern(path, pattern))
      fitting.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows))
      return fitting[0]?.allows ?? true
    },
  }
}

/** `*` matches anything, `$` anchors the end; everything else matches as a prefix. */
function matchesPattern(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = ''] = parts
  if (!path.startsWith(first)) return false
  if (parts.length === 1) return !isWhole || path === first
  const last = parts.at(-1) ?? ''
  let position = first.length
  // The earliest match for each segment leaves the most text for the following ones.
  for (const part of parts.slice(1, isWhole ? -1 : undefined)) {
    const found = path.indexOf(part, position)
    if (found === -1) return false
    position = found + part.length
  }
  return !isWhole || (path.endsWith(last) && path.length - last.length >= position)
}
