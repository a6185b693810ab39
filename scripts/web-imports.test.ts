import { describe, expect, it } from 'vitest'
import { checkWebImports } from './web-imports.ts'

const check = (path: string, source: string) => checkWebImports([{ path, source }], ['react', '@base-ui/react'])

describe('pages may import', () => {
  it.each([
    ['web/dashboard/api/keys.ts', "import type { KeyResource } from '../../../src/contract/admin.ts'"],
    ['web/dashboard/api/keys.ts', "import { createClient } from '../../../src/client/create-client.ts'"],
    ['web/dashboard/pages/keys/keys-page.tsx', "import { Button } from '../../../ui/button.tsx'"],
    ['web/dashboard/answers/source-list.tsx', "import { CitedSources } from '../../citations/cited-sources.tsx'"],
    ['web/citations/cited-sources.tsx', "import type { Citation } from '../../src/contract/citations.ts'"],
    ['web/ui/menu.tsx', "import { say } from '../words/say.ts'"],
    ['web/widget/words/make-say.ts', "import { fillText } from '../../words/fill-text.ts'"],
    ['web/ui/menu.tsx', "import { Menu } from '@base-ui/react/menu'"],
    ['web/dashboard/pages/playground/chat.tsx', "import { x } from '../../../../packages/docent-client/src/x.ts'"],
    ['packages/docent-client/src/a.ts', "import { getSession } from './get-session.ts'"],
    ['web/widget/panel/a.ts', "import { readEvents } from './read-events.ts'"],
    ['web/widget/panel/a.ts', "import { readQuote } from '../../citations/describe-citation.ts'"],
    ['web/dashboard/vite.config.ts', "import react from '@vitejs/plugin-react'"],
  ])('%s: %s', (path, source) => {
    expect(check(path, source)).toEqual([])
  })
})

describe('pages may not import', () => {
  it.each([
    ['web/dashboard/api/keys.ts', "import { openStore } from '../../../src/store/store.ts'"],
    ['web/dashboard/api/keys.ts', "const x = await import('../../../src/server/reply.ts')"],
    ['web/dashboard/api/keys.ts', "import { readFile } from 'node:fs/promises'"],
    ['web/dashboard/shell/shell.tsx', "import x from 'left-pad'"],
    ['packages/docent-client/src/a.ts', "import type { Citation } from '../../../src/contract/citations.ts'"],
    ['packages/docent-client/src/a.ts', "import { z } from 'zod'"],
    ['web/words/say.ts', "import { useSession } from '../dashboard/api/session.ts'"],
    ['web/widget/panel/a.ts', "import { say } from '../../words/say.ts'"],
    ['web/ui/button.tsx', "import { useSession } from '../dashboard/api/session.ts'"],
    ['web/citations/citation-card.tsx', "import { useSession } from '../dashboard/api/session.ts'"],
    ['web/widget/panel/a.tsx', "import { CitationCard } from '../../citations/citation-card.tsx'"],
    ['web/widget/panel/a.tsx', "import { Button } from '../../ui/button.tsx'"],
    ['web/ui/button.tsx', "import type { Role } from '../../src/contract/accounts.ts'"],
  ])('%s: %s', (path, source) => {
    expect(check(path, source)).toHaveLength(1)
  })
})
