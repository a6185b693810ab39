import type { AroundLoad, LoadedFile } from '../flatten/source-library.ts'
import { FindingList } from '../finding-list.ts'
import type { Finding } from '../site-page.ts'

interface Loaded {
  file: LoadedFile | null
  findings: readonly Finding[]
}

/** Caches the page files of a site with their frontmatter; unchanged files come from the other side's cache. */
export class LoadedFiles {
  readonly #loaded = new Map<string, Loaded>()
  readonly #other: LoadedFiles | null
  readonly #changed: ReadonlySet<string>

  /** @param changed Paths that differ from the other side. */
  constructor(other: LoadedFiles | null, changed: ReadonlySet<string>) {
    this.#other = other
    this.#changed = changed
  }

  /** A cache hit replays the findings of the first read. */
  readonly around: AroundLoad = async (library, file, load) => {
    const known = this.#find(file) ?? (await this.#load(file, (findings) => load({ ...library, findings })))
    for (const finding of known.findings) library.findings.add(finding)
    return known.file
  }

  #find(file: string): Loaded | undefined {
    const own = this.#loaded.get(file)
    if (own !== undefined || this.#other === null || this.#changed.has(file)) return own
    return this.#other.#loaded.get(file)
  }

  async #load(file: string, load: (findings: FindingList) => Promise<LoadedFile | null>): Promise<Loaded> {
    const findings = new FindingList()
    const loaded = { file: await load(findings), findings: findings.list() }
    this.#loaded.set(file, loaded)
    return loaded
  }
}
