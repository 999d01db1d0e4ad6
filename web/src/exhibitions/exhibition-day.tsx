import { Time } from '../ui/time.tsx'

/** When an exhibition opens or opened, a day in UTC. */
export const ExhibitionDay = ({
  exhibition: { open, opensOn },
}: {
  exhibition: { open: boolean; opensOn: string }
}) => (
  <span>
    {open ? 'Open since' : 'Opens on'} <Time at={opensOn} as="utcDay" />
  </span>
)
