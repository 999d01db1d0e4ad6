import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode; fallback: ReactNode /** A new value is a new try. */; at: string }

/** React supports error boundaries as class components only. */
export class ErrorBoundary extends Component<Props, { failedAt: string | null }> {
  override state = { failedAt: null }

  static getDerivedStateFromError() {
    return { failedAt: location.pathname }
  }

  override componentDidUpdate(before: Props) {
    if (before.at !== this.props.at && this.state.failedAt !== null) this.setState({ failedAt: null })
  }

  override render() {
    return this.state.failedAt === null ? this.props.children : this.props.fallback
  }
}
