import { BookOpen, Keyboard, LogOut, type LucideIcon, Monitor, Moon, MousePointerClick, Sun } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { Theme } from '../../../ui/theme.ts'
import { findOwnDocs } from '../own-docs.ts'
import type { Command } from './command.ts'
import { listPageActions } from './press-command.ts'

export interface WindowDeps {
  setTheme(theme: Theme): void
  signOut(): unknown
  showShortcuts(): void
}

/** Commands for this window and its session. */
export function listWindowCommands({ setTheme, signOut, showShortcuts }: WindowDeps, sites: readonly SiteResource[]) {
  const themes = 'appearance mode color colour'
  const docs = findOwnDocs(sites)
  return [
    toCommand('light', 'Use light theme', `${themes} day bright`, Sun, () => setTheme('light')),
    toCommand('dark', 'Use dark theme', `${themes} night black`, Moon, () => setTheme('dark')),
    toCommand('system', 'Use system theme', `${themes} automatic`, Monitor, () => setTheme('system')),
    toCommand('shortcuts', 'Show keyboard shortcuts', 'keys hotkeys', Keyboard, showShortcuts),
    ...(docs === null
      ? []
      : [
          toCommand('docs', 'Open the documentation', 'help guide manual support docs', BookOpen, () =>
            window.open(docs, '_blank', 'noopener'),
          ),
        ]),
    toCommand('sign-out', 'Sign out', 'log out logout leave exit end session', LogOut, signOut),
  ]
}

/** The actions in the head of the page that is shown. */
export function listActionsOnPage(): Command[] {
  return listPageActions().map((element, index) => ({
    ...toCommand(`here ${index}`, element.textContent.trim() || element.title, '', MousePointerClick, () =>
      element.click(),
    ),
    detail: 'On this page',
  }))
}

function toCommand(id: string, label: string, words: string, icon: LucideIcon, run: () => unknown): Command {
  return { id: `window ${id}`, label, detail: 'Action', words, icon, siteId: null, run }
}
