import { inFolder } from '../../routes/site-roots.ts'
import type { DocsInstance, DocsVersion } from './docusaurus-config.ts'

export const configFile = /^docusaurus\.config\.[mc]?[jt]s$/

/** The folder of a version of the documentation, in a language other than the default one if given. */
export function folderOf(instance: DocsInstance, version: DocsVersion, locale: string | null, root: string): string {
  const { id } = instance
  const prefix = id === 'default' ? '' : `${id}_`
  if (locale !== null) {
    const plugin = `docusaurus-plugin-content-docs${id === 'default' ? '' : `-${id}`}`
    return inFolder(
      root,
      `i18n/${locale}/${plugin}/${version.name === 'current' ? 'current' : `version-${version.name}`}`,
    )
  }
  if (version.name === 'current') return instance.folder
  return inFolder(root, `${prefix}versioned_docs/version-${version.name}`)
}

export function sidebarFileOf({ id, sidebarFile }: DocsInstance, version: DocsVersion, root: string): string | null {
  if (version.name === 'current') return sidebarFile
  return inFolder(root, `${id === 'default' ? '' : `${id}_`}versioned_sidebars/version-${version.name}-sidebars.json`)
}
