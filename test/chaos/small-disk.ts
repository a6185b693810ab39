import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const sizeMbDefault = 256
const filler = 'filler'

/** Makes a folder a file system of its own, which is small enough to be filled. Needs the right to mount. */
export function mountSmallDisk(folder: string, sizeMb = sizeMbDefault): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=700`, 'docent-chaos', folder], { stdio: 'pipe' })
}

export function unmountSmallDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder])
}

/** From now on, writing there fails with ENOSPC. @param roomBytes What is left free all the same. */
export function fillDisk(folder: string, roomBytes = 0): void {
  for (let block = 1024 ** 2; block >= 4_096; block /= 4) {
    try {
      for (;;) writeFileSync(join(folder, filler), Buffer.alloc(block), { flag: 'a' })
    } catch {
      // No block of this size fits any more.
    }
  }
  if (roomBytes > 0) truncateSync(join(folder, filler), Math.max(0, statSync(join(folder, filler)).size - roomBytes))
}

export function freeDisk(folder: string): void {
  rmSync(join(folder, filler), { force: true })
}

export function mayMountDisks(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'docent-disk-'))
  try {
    mountSmallDisk(probe)
    unmountSmallDisk(probe)
    return true
  } catch {
    return false
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}
