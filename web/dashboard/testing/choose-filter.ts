import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/** Sets a chip that is always shown. */
export async function chooseFilter(user: UserEvent, label: string, choice: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: new RegExp(`^${label} `) }))
  await user.click(await screen.findByRole('menuitemradio', { name: choice }))
}
