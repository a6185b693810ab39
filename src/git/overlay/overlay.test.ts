import { onTestFinished, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { openCommitTree } from '../trees/commit-tree.ts'
import { Overlay, type OverlayLimits, savedOverlaySchema } from './overlay.ts'

const live = new AbortController().signal
const encode = (text: string) => new TextEncoder().encode(text)

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 123\n`

async function setup(fill: (repository: GitRepository) => Promise<void> = async () => {}) {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('index.md', '# Home\n')
  await repository.write('guides/install.md', '# Install\n')
  await fill(repository)
  repository.commit()
  const tree = await openCommitTree({ repository: repository.folder, ref: null, subdirectory: '' }, live)
  onTestFinished(() => tree.close())
  const open = (limits: OverlayLimits = {}) => new Overlay(tree, limits)
  return { repository, tree, open, overlay: open() }
}

const read = async (overlay: Overlay, path: string) => new TextDecoder().decode(await overlay.read(path))
const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) })

describe('an overlay', () => {
  it('shows the files of its commit until something is changed', async () => {
    const { overlay } = await setup()

    expect(overlay.paths()).toEqual(['guides/install.md', 'index.md'])
    expect([overlay.has('index.md'), overlay.has('./index.md'), overlay.has('other.md')]).toEqual([true, true, false])
    expect(await read(overlay, 'index.md')).toBe('# Home\n')
    expect(overlay.changes()).toEqual([])
  })

  it('shows what is written, moved and deleted, and says what changed', async () => {
    const { overlay } = await setup()

    await overlay.write('index.md', encode('# Start\n'))
    await overlay.write('new/page.md', encode('New\n'))
    await overlay.move('guides/install.md', 'guides/setup.md')

    expect(overlay.paths()).toEqual(['guides/setup.md', 'index.md', 'new/page.md'])
    expect([await read(overlay, 'index.md'), await read(overlay, 'guides/setup.md')]).toEqual([
      '# Start\n',
      '# Install\n',
    ])
    expect(overlay.changes()).toEqual([
      { path: 'guides/setup.md', kind: 'renamed', previousPath: 'guides/install.md' },
      { path: 'index.md', kind: 'modified' },
      { path: 'new/page.md', kind: 'added' },
    ])
  })

  it('calls a file that is moved and edited renamed, over several moves', async () => {
    const { overlay } = await setup()

    await overlay.move('index.md', 'a.md')
    await overlay.write('a.md', encode('edited'))
    await overlay.move('a.md', 'b.md')

    expect(overlay.changes()).toEqual([{ path: 'b.md', kind: 'renamed', previousPath: 'index.md' }])
    expect(await read(overlay, 'b.md')).toBe('edited')
  })

  it('has no changes once everything is as it was', async () => {
    const { overlay } = await setup()

    await overlay.write('index.md', encode('other'))
    await overlay.write('index.md', encode('# Home\n'))
    await overlay.move('guides/install.md', 'x.md')
    await overlay.move('x.md', 'guides/install.md')
    await overlay.write('new.md', encode('new'))
    overlay.delete('new.md')
    overlay.delete('index.md')
    await overlay.write('index.md', encode('# Home\n'))

    expect(overlay.changes()).toEqual([])
    expect(overlay.toJSON().files).toEqual([])
  })

  it('reports a deleted file as deleted, and a file in its place as another', async () => {
    const { overlay } = await setup()

    overlay.delete('guides/install.md')
    overlay.delete('index.md')
    await overlay.move('guides/install.md', 'x.md').catch(() => {})

    expect(overlay.changes()).toEqual([
      { path: 'guides/install.md', kind: 'deleted' },
      { path: 'index.md', kind: 'deleted' },
    ])
    await expect(overlay.read('index.md')).rejects.toEqual(refusal(/There is no file "index\.md"/))
  })

  it('keeps what it showed in a snapshot', async () => {
    const { overlay } = await setup()
    await overlay.write('index.md', encode('first'))
    await overlay.move('guides/install.md', 'moved.md')

    const snapshot = overlay.snapshot()
    await overlay.write('index.md', encode('second'))
    overlay.delete('moved.md')

    expect(snapshot.paths).toEqual(['index.md', 'moved.md'])
    expect(new TextDecoder().decode(await snapshot.read('index.md'))).toBe('first')
    expect(new TextDecoder().decode(await snapshot.read('moved.md'))).toBe('# Install\n')
  })
})

describe('what an overlay refuses', () => {
  it('takes no path that leads elsewhere, and stays as it was', async () => {
    const { overlay } = await setup()

    for (const path of ['../x.md', '/etc/passwd', '.git/config', 'a\\..\\b', 'docs/.GIT/x', '']) {
      await expect(overlay.write(path, encode('x'))).rejects.toEqual(refusal(/^The path /))
      await expect(overlay.move('index.md', path)).rejects.toEqual(refusal(/^The path /))
      await expect(overlay.read(path)).rejects.toEqual(refusal(/There is no file/))
    }
    expect(overlay.changes()).toEqual([])
  })

  it('puts no file where a folder is, and no folder where a file is', async () => {
    const { overlay } = await setup()

    await expect(overlay.write('guides', encode('x'))).rejects.toEqual(refusal(/is a folder/))
    await expect(overlay.write('index.md/page.md', encode('x'))).rejects.toEqual(refusal(/is a file, not a folder/))
    await overlay.write('new/page.md', encode('x'))
    await expect(overlay.write('new', encode('x'))).rejects.toEqual(refusal(/is a folder/))
    await expect(overlay.move('index.md', 'guides/install.md')).rejects.toEqual(refusal(/already/))
  })

  it('makes no second file that differs only in case or looks like it', async () => {
    const { overlay } = await setup()

    await expect(overlay.write('Index.md', encode('x'))).rejects.toEqual(refusal(/only in case/))
    await expect(overlay.write('guides/іnstаll.md', encode('x'))).rejects.toEqual(refusal(/look alike/))
    await expect(overlay.write('guides/ｉnstall.md', encode('x'))).rejects.toEqual(refusal(/look alike/))
    await overlay.move('index.md', 'Index.md')

    expect(overlay.paths()).toEqual(['Index.md', 'guides/install.md'])
  })

  it('goes to its limits and not beyond them', async () => {
    const { open } = await setup()
    const overlay = open({ filesMax: 2, fileBytesMax: 10, bytesMax: 15 })

    await overlay.write('a.md', encode('0123456789'))
    await expect(overlay.write('b.md', encode('0123456789'))).rejects.toEqual(refusal(/more than 15 bytes/))
    await expect(overlay.write('b.md', encode('01234567890'))).rejects.toEqual(refusal(/at most 10 are taken/))
    await overlay.write('b.md', encode('01234'))
    await expect(overlay.write('c.md', encode(''))).rejects.toEqual(refusal(/More than 2 files/))
    await overlay.move('a.md', 'c.md')

    expect(overlay.changes().map(({ path }) => path)).toEqual(['b.md', 'c.md'])
  })
})

describe('links, submodules and pointers', () => {
  it('edits the file that a link leads to, and keeps the link', async () => {
    const { overlay } = await setup(({ link }) => link('README.md', 'guides/install.md'))

    await overlay.write('README.md', encode('edited'))

    expect(await read(overlay, 'guides/install.md')).toBe('edited')
    expect(await read(overlay, 'README.md')).toBe('edited')
    expect(overlay.changes()).toEqual([{ path: 'guides/install.md', kind: 'modified' }])
  })

  it('removes a link alone, and no file that a link leads to', async () => {
    const { overlay } = await setup(({ link }) => link('README.md', 'guides/install.md'))

    expect(() => overlay.delete('guides/install.md')).toThrow(refusal(/"README\.md" is a link to it/))
    await expect(overlay.move('guides/install.md', 'x.md')).rejects.toEqual(refusal(/is a link to it/))
    await expect(overlay.move('README.md', 'x.md')).rejects.toEqual(refusal(/Move that file instead/))
    overlay.delete('README.md')
    overlay.delete('guides/install.md')

    expect(overlay.paths()).toEqual(['index.md'])
  })

  it('writes neither to nor through a link that leaves the tree or leads to a folder', async () => {
    const { overlay } = await setup(async ({ link }) => {
      await link('out', '../../outside')
      await link('leak.md', '/etc/passwd')
      await link('folder', 'guides')
    })

    for (const path of ['out', 'leak.md', 'folder', 'out/x.md', 'folder/x.md']) {
      await expect(overlay.write(path, encode('x'))).rejects.toEqual(refusal(/It is a link that leads to no file/))
    }
    await expect(overlay.read('leak.md')).rejects.toEqual(refusal(/It is a link/))
    expect(overlay.changes()).toEqual([])
  })

  it('leaves submodules alone', async () => {
    const { overlay } = await setupSubmodule()

    for (const path of ['vendor/sdk', 'vendor/sdk/x.md']) {
      await expect(overlay.write(path, encode('x'))).rejects.toEqual(refusal(/A submodule is another repository/))
    }
    await expect(overlay.write('vendor', encode('x'))).rejects.toEqual(refusal(/is a folder/))
    expect(overlay.has('vendor/sdk')).toBe(false)
  })

  it('changes no file that Git LFS keeps elsewhere, and makes none', async () => {
    const { overlay } = await setup(({ write }) => write('image.png', pointer))

    await expect(overlay.write('image.png', encode('x'))).rejects.toEqual(refusal(/kept by Git LFS/))
    await expect(overlay.move('image.png', 'x.png')).rejects.toEqual(refusal(/kept by Git LFS/))
    await expect(overlay.write('page.md', encode(pointer))).rejects.toEqual(refusal(/kept by Git LFS/))

    expect(overlay.changes()).toEqual([])
  })
})

async function setupSubmodule() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('index.md', '# Home\n')
  const id = repository.commit()
  repository.git(['update-index', '--add', '--cacheinfo', `160000,${id},vendor/sdk`])
  repository.git(['commit', '--quiet', '-m', 'A submodule'])
  const tree = await openCommitTree({ repository: repository.folder, ref: null, subdirectory: '' }, live)
  onTestFinished(() => tree.close())
  return { overlay: new Overlay(tree) }
}

describe('a saved overlay', () => {
  it('comes back as it was, from JSON, with bytes that are no text', async () => {
    const { overlay, tree } = await setup()
    await overlay.write('index.md', encode('\uFEFFwith a mark\r\n'))
    await overlay.write('image.bin', Uint8Array.of(0xff, 0, 0xfe))
    await overlay.move('guides/install.md', 'moved.md')

    const saved = savedOverlaySchema.parse(JSON.parse(JSON.stringify(overlay)))
    const restored = Overlay.restore(tree, saved)

    expect(restored.changes()).toEqual(overlay.changes())
    expect(restored.toJSON()).toEqual(overlay.toJSON())
    expect(await restored.read('image.bin')).toEqual(Uint8Array.of(0xff, 0, 0xfe))
    expect(await read(restored, 'moved.md')).toBe('# Install\n')
    expect(saved.files.map(({ path }) => path)).toEqual(['guides/install.md', 'image.bin', 'index.md', 'moved.md'])
  })

  it('does not come back over another commit', async () => {
    const { overlay, repository } = await setup()
    const saved = overlay.toJSON()
    repository.commit('Another')
    const tree = await openCommitTree({ repository: repository.folder, ref: null, subdirectory: '' }, live)
    onTestFinished(() => tree.close())

    expect(() => Overlay.restore(tree, saved)).toThrow(/is based on/)
  })

  it('says the same after every step as one that was saved and restored there', async () => {
    const { open, tree } = await setup()
    const path = fc.constantFrom('index.md', 'guides/install.md', 'a.md', 'b/c.md', 'b')
    const step = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), path, text: fc.constantFrom('', 'x', '# Home\n') }),
      fc.record({ kind: fc.constant('delete' as const), path }),
      fc.record({ kind: fc.constant('move' as const), path, to: path }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        let overlay = open()
        for (const next of steps) {
          const restored = Overlay.restore(tree, overlay.toJSON())
          await Promise.allSettled([overlay, restored].map(async (each) => apply(each, next)))
          expect(restored.paths()).toEqual(overlay.paths())
          expect(restored.changes()).toEqual(overlay.changes())
          overlay = restored
        }
        const contents = await Promise.all(overlay.paths().map((each) => read(overlay, each)))
        expect(contents.every((text) => ['', 'x', '# Home\n', '# Install\n'].includes(text))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

type Step =
  | { kind: 'write'; path: string; text: string }
  | { kind: 'delete'; path: string }
  | { kind: 'move'; path: string; to: string }

async function apply(overlay: Overlay, step: Step): Promise<void> {
  if (step.kind === 'write') await overlay.write(step.path, encode(step.text))
  else if (step.kind === 'delete') overlay.delete(step.path)
  else await overlay.move(step.path, step.to)
}
