import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLiveChanges } from '../api/live-changes.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { useCurrentPlace, usePageTitle } from './current-place.ts'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PlaceSwitcher } from './place-switcher.tsx'
import classes from './shell.module.css'
import { nameKeys, shortcuts } from './shortcuts.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { UserMenu } from './user-menu.tsx'
import { say } from '../../words/say.ts'

const loadPalette = () => import('./palette/command-palette.tsx')
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })))

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })))

/** Frame of every page for signed-in users. */
export function Shell() {
  useLiveChanges()
  const { title, site, domain, organization } = useCurrentPlace()
  usePageTitle([title, site?.name ?? domain ?? organization.name].filter(Boolean).join(' · '))
  const palette = useLazyDialog()
  const help = useLazyDialog()
  useShortcuts(palette.toggle, help.open)
  useEffect(preloadPalette, [])
  const main = useFocusOnNavigation()
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#page">
        {say('Skip to content')}
      </a>
      <header className={classes.header}>
        <NarrowNavigation />
        <PlaceSwitcher />
        <div className={classes.tools}>
          <Button className={classes.search} onClick={palette.open} aria-keyshortcuts="Control+K Meta+K">
            <Search size={15} aria-hidden />
            <span className={classes.searchText}>{say('Search or run')}</span>
            <kbd className={classes.shortcut}>{nameKeys(shortcuts.palette.keys).join(' ')}</kbd>
          </Button>
          <UserMenu />
        </div>
      </header>
      <aside className={classes.side}>
        <Navigation isRail />
      </aside>
      <div className={classes.content}>
        <OfflineBanner />
        <main id="page" className={classes.main} ref={main} tabIndex={-1}>
          <Breadcrumbs />
          <Suspense fallback={<Skeleton />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Suspense>
        {palette.wasOpened ? (
          <CommandPalette isOpen={palette.isOpen} onClose={palette.close} onShortcuts={help.open} />
        ) : null}
        {help.wasOpened ? <ShortcutHelp isOpen={help.isOpen} onClose={help.close} /> : null}
      </Suspense>
    </div>
  )
}

/** Once the page is there: who opens the palette types at once, and what is typed before it is loaded would be lost. */
function preloadPalette(): () => void {
  const timer = setTimeout(() => void loadPalette().catch(() => {}), 1_000)
  return () => clearTimeout(timer)
}

/** The navigation on narrow screens, behind a button. */
function NarrowNavigation() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton className={classes.menuButton} label={say('Menu')} onClick={() => setOpen(true)}>
        <MenuIcon size={18} aria-hidden />
      </IconButton>
      <Dialog title={say('Menu')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Navigation onFollow={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** State of a dialog whose code is loaded on first use. */
function useLazyDialog() {
  const [isOpen, setOpen] = useState<boolean | null>(null)
  return {
    isOpen: isOpen === true,
    wasOpened: isOpen !== null,
    open: () => setOpen(true),
    close: () => setOpen(false),
    toggle: () => setOpen((isOpen) => isOpen !== true),
  }
}

/** Moves the focus to the new page after navigation, as a full page load would. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isSettled = useMatches({ select: (matches) => matches.at(-1)?.status === 'success' })
  const shown = useRef(path)
  useEffect(() => {
    if (!isSettled || shown.current === path) return
    shown.current = path
    main.current?.focus({ preventScroll: true })
  }, [path, isSettled])
  return main
}
