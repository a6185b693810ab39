import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import classes from './brand-mark.module.css'

/** The logo of the organization, or that of Docent. */
export function BrandMark() {
  const logo = useQuery(sessionQuery).data?.brand.logo ?? null
  if (logo !== null) return <img className={classes.logo} src={logo} alt="" />
  return (
    <span className={classes.mark} aria-hidden>
      D
    </span>
  )
}
