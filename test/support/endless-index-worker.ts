// An indexing process whose parser has no end, of time or of memory, for pages that say so.

import { runIndexProgram } from '../../src/sites/indexing/index-site-program.ts'

runIndexProgram({
  aroundFlatten: (library, page, flatten) => {
    if (page.body.includes('never ends')) for (;;);
    const held: string[][] = []
    while (page.body.includes('takes all memory'))
      held.push(Array.from({ length: 10_000 }, (_, index) => `word ${index}`))
    return flatten(library)
  },
})
