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
import { UserMenu } from './user-menu.tsx'

const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })),
)

const isApple = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

/** Frame of every page for signed-in users. */
export function Shell() {
  useLiveChanges()
  const { title, site, domain, organization } = useCurrentPlace()
  usePageTitle([title, site?.name ?? domain ?? organization.name].filter(Boolean).join(' · '))
  const palette = usePalette()
  const main = useFocusOnNavigation()
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#page">
        Skip to content
      </a>
      <header className={classes.header}>
        <NarrowNavigation />
        <PlaceSwitcher />
        <div className={classes.tools}>
          <Button className={classes.search} onClick={palette.open} aria-keyshortcuts="Control+K Meta+K">
            <Search size={15} aria-hidden />
            <span className={classes.searchText}>Go to …</span>
            <kbd className={classes.shortcut}>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
          </Button>
          <UserMenu />
        </div>
      </header>
      <OfflineBanner />
      <aside className={classes.side}>
        <Navigation />
      </aside>
      <main id="page" className={classes.main} ref={main} tabIndex={-1}>
        <Breadcrumbs />
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      {palette.wasOpened ? (
        <Suspense>
          <CommandPalette isOpen={palette.isOpen} onClose={palette.close} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The navigation on narrow screens, behind a button. */
function NarrowNavigation() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton className={classes.menuButton} label="Menu" onClick={() => setOpen(true)}>
        <MenuIcon size={18} aria-hidden />
      </IconButton>
      <Dialog title="Menu" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Navigation onFollow={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** Toggled by Ctrl+K and ⌘K. Its code is loaded on first use. */
function usePalette() {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setWasOpened(true)
      setOpen((isOpen) => !isOpen)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const open = () => {
    setWasOpened(true)
    setOpen(true)
  }
  return { isOpen, wasOpened, open, close: () => setOpen(false) }
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
