import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFolderTree } from './folder-tree.ts'

describe('openFolderTree', () => {
  let folder: string
  let outside: string

  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), text)
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folder-tree-'))
    outside = await mkdtemp(path.join(tmpdir(), 'folder-tree-outside-'))
    await writeFile(path.join(outside, 'secret.md'), 'secret')
  })

  afterEach(async () => {
    await rm(folder, { recursive: true })
    await rm(outside, { recursive: true })
  })

  it('lists files sorted, without the folders that hold no pages', async () => {
    for (const file of [
      'b.md',
      'a/c.mdx',
      '.git/config',
      'node_modules/x/README.md',
      'a/node_modules/y.md',
      '.mintignore',
    ]) {
      await write(file, file)
    }

    const tree = await openFolderTree(folder)

    expect(tree.paths).toEqual(['.mintignore', 'a/c.mdx', 'b.md'])
    expect(new TextDecoder().decode(await tree.read('a/c.mdx'))).toBe('a/c.mdx')
  })

  it('enters folders called build or dist, unless ignored or generated', async () => {
    const files = {
      'build/overview.md': '',
      'docs/dist/packaging.md': '',
      'docs/site/index.html': '',
      'website/build/index.html': '',
      'website/build/404.html': '',
      'website/build/copied.md': '',
      '.gitignore': 'out/\n*.local.md\n/only-here\n',
      'out/a.md': '',
      'docs/b.local.md': '',
      'docs/.gitignore': '!kept.local.md\n',
      'docs/kept.local.md': '',
      'docs/only-here/c.md': '',
      'only-here/d.md': '',
    }
    for (const [file, text] of Object.entries(files)) await write(file, text)

    const tree = await openFolderTree(folder)

    expect(tree.paths).toEqual([
      '.gitignore',
      'build/overview.md',
      'docs/.gitignore',
      'docs/dist/packaging.md',
      'docs/kept.local.md',
      'docs/only-here/c.md',
      'docs/site/index.html',
    ])
  })

  it('does not read an ignore file that is a link', async () => {
    await write('a.md', 'a')
    await writeFile(path.join(outside, 'rules'), '*.md')
    await symlink(path.join(outside, 'rules'), path.join(folder, '.gitignore'))

    expect((await openFolderTree(folder)).paths).toEqual(['a.md'])
  })

  it('follows no links to files or folders', async () => {
    await write('a.md', 'a')
    await symlink(path.join(outside, 'secret.md'), path.join(folder, 'link.md'))
    await symlink(outside, path.join(folder, 'linked'))

    const tree = await openFolderTree(folder)

    expect(tree.paths).toEqual(['a.md'])
    await expect(tree.read('link.md')).rejects.toThrow('was not in this folder when it was listed')
  })

  it('refuses a file that became a link, or is behind one, after listing', async () => {
    await write('secret.md', 'a')
    await write('sub/secret.md', 'b')
    const tree = await openFolderTree(folder)
    await rm(path.join(folder, 'secret.md'))
    await symlink(path.join(outside, 'secret.md'), path.join(folder, 'secret.md'))
    await rename(path.join(folder, 'sub'), path.join(folder, 'moved'))
    await symlink(outside, path.join(folder, 'sub'))

    await expect(tree.read('secret.md')).rejects.toThrow(/ELOOP|link/)
    await expect(tree.read('sub/secret.md')).rejects.toThrow('behind a link')
  })

  it.each(['../x', '/etc/passwd', 'a.md/../b', ''])(
    'reads nothing that it has not listed, such as %j',
    async (file) => {
      await write('a.md', 'a')
      const tree = await openFolderTree(folder)

      await expect(tree.read(file)).rejects.toThrow('was not in this folder when it was listed')
    },
  )

  it('changes its revision with a name, a size or a time, and only then', async () => {
    await write('a.md', 'one')
    const first = await openFolderTree(folder)
    const again = await openFolderTree(folder)
    await utimes(path.join(folder, 'a.md'), 1, 1)
    const touched = await openFolderTree(folder)
    await write('b.md', 'two')
    const added = await openFolderTree(folder)

    expect(again.revision).toBe(first.revision)
    expect(new Set([first.revision, touched.revision, added.revision]).size).toBe(3)
  })

  it('refuses a folder with more files, bytes or levels than allowed', async () => {
    await write('a/b/c.md', '12345')
    await write('d.md', '12345')

    await expect(openFolderTree(folder, { filesMax: 1 })).rejects.toThrow('more than 1 files')
    await expect(openFolderTree(folder, { totalBytesMax: 9 })).rejects.toThrow('9 bytes')
    await expect(openFolderTree(folder, { depthMax: 1 })).rejects.toThrow('more than 1 folders deep')
  })

  it('skips files that are too large to be pages', async () => {
    await write('small.md', '12345')
    await write('film.mp4', '1234567890')

    const tree = await openFolderTree(folder, { fileBytesMax: 5 })

    expect(tree.paths).toEqual(['small.md'])
  })

  it('says what to do when there is no such folder', async () => {
    await expect(openFolderTree(path.join(folder, 'none'))).rejects.toThrow('Specify an existing folder.')
    await expect(openFolderTree(path.join(outside, 'secret.md'))).rejects.toThrow('is a file')
  })

  it('stops when aborted', async () => {
    await expect(openFolderTree(folder, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})
