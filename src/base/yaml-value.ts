import { type Document, isCollection, isPair, visit } from 'yaml'

/** Keys that are lists or maps are written out as text at each level: far more than quadratic time when they are nested. */
const keyDepthMax = 4

/**
 * The value of a parsed document.
 *
 * @param aliasesMax How often a value that aliases name may be repeated.
 * @throws {Error} for more aliases, and for maps or lists as keys of each other.
 */
export function toYamlValue(document: Document.Parsed, aliasesMax: number): unknown {
  visit(document, {
    Pair: (_key, { key }, path) => {
      const isWithin = () => path.filter((node) => isPair(node) && isCollection(node.key)).length >= keyDepthMax
      if (isCollection(key) && isWithin()) throw new Error('Maps or lists are the keys of others. Use names as keys.')
    },
  })
  return document.toJS({ maxAliasCount: aliasesMax })
}
