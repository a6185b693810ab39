/** More names would outweigh the question. */
const namesMax = 8
const codeCharsMax = 4_000

/** Keywords, and names that any program has. */
const commonNames = new Set(
  `import export from default const let var function return await async new class extends implements interface type public
  private static void def self this None True False null undefined true false string number boolean object any unknown if
  else elif for while try catch except finally raise throw with as in of is not and or pass yield lambda print console log
  err error result results response data item items value values key keys name names text index list app config options
  params props args kwargs main test require module exports use using package func struct fmt println super switch case
  break continue int str bool float dict id url path msg message req res`.split(/\s+/),
)
const importedName =
  /\b(?:from|require\(|import)\s*['"]([^'"\s]{1,80})['"]|^\s*(?:from|import|use|using)\s+([\w.:/@-]{2,80})/gm
/** A package of the reader's own project. */
const ownModule = /^[./~]|^@\//
const namePattern = /[@$]?[A-Za-z_][\w$]{0,60}/g
const calledName = /([@$]?\b[A-Za-z_][\w$]{0,60})\s?\(/g
const keyName = /\b([A-Za-z_][\w$]{0,60})['"]?\s?:/g
/** Names of several words are those of an interface; single ones are the reader's own more often. */
const compound = /[a-z0-9][A-Z]|[A-Za-z]_[A-Za-z]|^[A-Z][a-z]+[A-Z]|^@/

/**
 * The names in code that say most of what it is about, best first: imported packages and names, other names of several
 * words, what is called, and the keys of objects. Linear in the length of the code.
 */
export function readCodeNames(code: string): string[] {
  const text = code.slice(0, codeCharsMax)
  const packages = Array.from(text.matchAll(importedName), ([, quoted, bare]) => quoted ?? bare ?? '')
  const imports = text.split('\n').filter((line) => /^\s*(?:import|from|use|using)\b|\brequire\(/.test(line))
  const imported = imports.flatMap((line) => line.replace(importedName, ' ').match(namePattern) ?? [])
  const compounds = (text.match(namePattern) ?? []).filter((name) => compound.test(name))
  const rest = [calledName, keyName].flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name]) => name ?? ''))
  const names = [...packages.filter((name) => !ownModule.test(name)), ...imported, ...compounds, ...rest]
  return [...new Set(names.filter((name) => name.length > 1 && !commonNames.has(name)))].slice(0, namesMax)
}
