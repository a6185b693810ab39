/** Bodies that are dear to parse or to walk, of about so many bytes, by what makes them dear. */
export const hostileBodies: Readonly<Record<string, (bytes: number) => string>> = {
  'deep lists': (bytes) => '['.repeat(bytes),
  'deep and closed': (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  'deep objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'deep within a message': (bytes) =>
    `{"fp":"a","messages":[{"role":"user","parts":[{"type":"x","input":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}]}]}`,
  'many keys': (bytes) => `{${list(bytes, 14, (index) => `"k${index}":1`)}}`,
  'numbers as keys': (bytes) => `{${list(bytes, 14, (index) => `"${index * 7919}":0`)}}`,
  'many values': (bytes) => `[${list(bytes, 2, () => '0')}]`,
  'many empty objects': (bytes) => `{"fp":"a","context":[${list(bytes, 3, () => '{}')}]}`,
  'many messages': (bytes) => `{"fp":"a","messages":[${list(bytes, 16, () => '{"role":"user"}')}]}`,
  'many parts': (bytes) => `{"fp":"a","messages":[{"role":"user","parts":[${list(bytes, 13, () => '{"type":"x"}')}]}]}`,
  'many escapes': (bytes) => `{"fp":"${'\\u0041'.repeat(bytes / 6)}"}`,
  'long number': (bytes) => `{"fp":${'9'.repeat(bytes)}}`,
  'nothing but spaces': (bytes) => `${' '.repeat(bytes)}{`,
  'broken at the end': (bytes) => `{"fp":"a","x":[${list(bytes, 8, () => '{"a":1}')}`,
}

function list(bytes: number, itemBytes: number, write: (index: number) => string): string {
  return Array.from({ length: Math.floor(bytes / itemBytes) }, (_, index) => write(index)).join(',')
}
