import { Component, type ReactNode } from 'react'

type Props = {
  /** A new value is a new try. */
  at: string
  children: ReactNode
}

/** A page that throws leaves the navigation usable. React supports error boundaries as class components only. */
export class Failsafe extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate({ at }: Props) {
    if (at !== this.props.at && this.state.failed) this.setState({ failed: false })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <p role="alert">This page failed. The browser’s console has the error; the other pages work.</p>
  }
}
