// An indexing thread whose parser has no end for pages that say so.

import { runIndexThread } from '../../src/sites/indexing/index-site-thread.ts'

runIndexThread({
  aroundFlatten: (library, page, flatten) => {
    if (page.body.includes('never ends')) for (;;);
    return flatten(library)
  },
})
