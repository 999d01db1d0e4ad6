import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode; fallback: ReactNode /** A new value is a new try. */; at: string }

/** React knows error boundaries only as classes: this is the only one besides the errors. */
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
