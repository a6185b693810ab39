import {
  BookOpen,
  Keyboard,
  Languages,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  MousePointerClick,
  Sun,
} from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { Theme } from '../../../ui/theme.ts'
import { findOwnDocs } from '../own-docs.ts'
import type { Command } from './command.ts'
import { listPageActions } from './press-command.ts'
import { type Language, languages } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

export interface WindowDeps {
  setTheme(theme: Theme): void
  setLanguage(language: Language): void
  signOut(): unknown
  showShortcuts(): void
}

/** Commands for this window and its session. */
export function listWindowCommands(
  { setTheme, setLanguage, signOut, showShortcuts }: WindowDeps,
  sites: readonly SiteResource[],
) {
  const themes = say('appearance mode color colour')
  const docs = findOwnDocs(sites)
  return [
    toCommand('light', say('Use light theme'), `${themes} ${say('day bright lightmode')}`, Sun, () =>
      setTheme('light'),
    ),
    toCommand('dark', say('Use dark theme'), `${themes} ${say('night black darkmode')}`, Moon, () => setTheme('dark')),
    toCommand(
      'system',
      say('Use system theme'),
      `${themes} ${say('automatic match os follow operating')}`,
      Monitor,
      () => setTheme('system'),
    ),
    ...languages.map(({ language, name }) =>
      toCommand(
        `language-${language}`,
        say('Language: {name}', { name }),
        `${say('switch change translation locale')} ${new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? ''}`,
        Languages,
        () => setLanguage(language),
      ),
    ),
    toCommand(
      'shortcuts',
      say('Show keyboard shortcuts'),
      say('keys hotkeys keybindings bindings cheat sheet'),
      Keyboard,
      showShortcuts,
    ),
    ...(docs === null
      ? []
      : [
          toCommand(
            'docs',
            say('Open the documentation'),
            say('help guide manual support docs user faq docent work works'),
            BookOpen,
            () => window.open(docs, '_blank', 'noopener'),
          ),
        ]),
    toCommand('sign-out', say('Sign out'), say('log out logout leave exit end session quit logoff'), LogOut, signOut),
  ]
}

/** The actions in the head of the page that is shown. */
export function listActionsOnPage(): Command[] {
  return listPageActions().map((element, index) => ({
    ...toCommand(['here', index].join(' '), element.textContent.trim() || element.title, '', MousePointerClick, () =>
      element.click(),
    ),
    detail: say('On this page'),
  }))
}

function toCommand(id: string, label: string, words: string, icon: LucideIcon, run: () => unknown): Command {
  return { id: `window ${id}`, label, detail: say('Action'), words, icon, siteId: null, run }
}
