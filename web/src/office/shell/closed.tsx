import './shell.css'

/** In place of the office without a session. */
export const Closed = ({ reason }: { reason: string }) => (
  <main id="content" className="closed">
    <h1>The office is closed</h1>
    <p role="alert">{reason}</p>
    <p className="muted">
      An address opens the office once, within eight hours. For another one run <code>npx pnpm ops office</code>, and
      open what it prints.
    </p>
  </main>
)
