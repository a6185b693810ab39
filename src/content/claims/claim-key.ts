/** The subject of a claim. */
export interface ClaimKey {
  /** Equal for one name in different styles: `batchSize`, `batch_size` and `--batch-size`. */
  id: string
  written: string
  /** How likely two pages mean the same by it: a variable or path, several words, or one word. */
  strength: 'strong' | 'compound' | 'plain'
}

const name = /^(?:-{1,2})?[A-Za-z_$][\w$]*(?:(?:\[\]|\[\d\])?[.:/-][\w$]+)*(?:\[\])?$/
const nameCharsMax = 100

/** Roots of paths that name a parameter, not a place. */
const looseRoots = new Set('options option opts props params args config this self event e ctx context'.split(' '))

/** @param written Without backticks. @returns Null if it is not a name. Pure. */
export function readClaimKey(written: string): ClaimKey | null {
  const bare = written.trim().replace(/(?:\(\)|\?|:|=)+$/, '')
  if (bare.length > nameCharsMax || !name.test(bare)) return null
  if (
    /^(?:true|false|null|none|undefined|on|off|yes|no|int|integer|float|str|string|bool|boolean|number|object|array|list|dict|any|bytes|date)$/i.test(
      bare,
    )
  )
    return null
  if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(bare)) return { id: bare, written: bare, strength: 'strong' }
  const path = bare
    .replace(/^--?/, '')
    .replace(/\[\d?\]/g, '')
    .split(/[.:/]/)
  const segments = path.map((segment) =>
    segment
      .replace(/([a-z\d])(?=[A-Z])/g, '$1-')
      .replace(/_+/g, '-')
      .toLowerCase(),
  )
  const id = segments.join('.')
  if (segments.length > 1 && !looseRoots.has(segments[0] ?? '')) return { id, written: bare, strength: 'strong' }
  const isCompoundName = segments.length > 1 || (segments[0] ?? '').includes('-') || bare.startsWith('--')
  return { id, written: bare, strength: isCompoundName ? 'compound' : 'plain' }
}

/** A subject that is named by words: `file size`. */
export function keyOfPhrase(phrase: string): ClaimKey | null {
  const words = phrase
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(
      (word) => word !== '' && !/^(?:the|a|an|your|its|this|that|each|every|number|amount|of|for|value)$/.test(word),
    )
  if (words.length < 2 || words.length > 5) return null
  return { id: words.join(' '), written: phrase.trim(), strength: words.length > 2 ? 'compound' : 'plain' }
}
