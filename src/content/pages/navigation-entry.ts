/** The source of an API description, and where its pages go. */
export interface SpecReference {
  /** Paths as written, or URLs. */
  sources: readonly string[]
  /** Parent path of the generated pages. */
  directory: string
}

/** Settings that a navigation passes down to its pages. */
export interface NavigationPlace {
  section: readonly string[]
  version: string | null
  language: string | null
  tag: string | null
  isHidden: boolean
  searchable: boolean | undefined
  isPublic: boolean | undefined
  boost: number
  spec: SpecReference | null
}

export const topPlace: NavigationPlace = {
  section: [],
  version: null,
  language: null,
  tag: null,
  isHidden: false,
  searchable: undefined,
  isPublic: undefined,
  boost: 1,
  spec: null,
}

/** An entry of the navigation. */
export type NavigationEntry = { place: NavigationPlace } &
  /** Optional pages come from links, which may lead elsewhere, so a missing one is not a fault. */
  (
    | { kind: 'page'; target: string; isOptional: boolean }
    /** One operation; `source` only if the entry names its own file. */
    | { kind: 'operation'; source: string | null; method: string; target: string }
    /** All operations of the API description that an enclosing entry names in `place.spec`. */
    | { kind: 'specification'; target: null }
  )

const operation =
  /^(?:(\S+\.(?:json|ya?ml)(?:[/#]\S{0,200})?|https?:\/\/\S+)\s+)?(get|post|put|patch|delete|head|options|trace|webhook)\s+(\S.*)$/i

/** Parses `METHOD /path`, optionally preceded by a file; null for anything else. */
export function readOperationName(text: string): { source: string | null; method: string; target: string } | null {
  const [match, source, method = '', target = ''] = operation.exec(text.trim()) ?? []
  return match === undefined ? null : { source: source ?? null, method: method.toLowerCase(), target: target.trim() }
}
