// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/**
 * @title Batch
 * @notice Runs the entries of a batch in isolation: a failing entry does not affect the others.
 * @dev Each entry is a call of the contract to itself, so that a revert undoes this entry only. Entries call foreign
 * code (a recipient's receiver hook, a contract wallet's signature check), which may use all gas that it gets or revert
 * with a megabyte of data. Both are bounded here.
 */
abstract contract Batch {
    /// @notice Gas limit of one entry. A delivery to a plain address uses about a third; the rest is for contract wallets.
    uint256 public constant ENTRY_GAS = 300_000;

    /// @dev Gas reserved for the code after an entry: its log and the loop.
    uint256 private constant RESERVE_GAS = 30_000;

    /// @dev Maximum length of a revert reason. Longer ones are truncated: each byte costs gas in memory and in the log.
    uint256 private constant REASON_BYTES = 260;

    /// @notice Only the contract itself may call this function, for an entry of a batch.
    error OnlyInBatch(address caller);
    /// @notice The gas limit of the transaction is too low. Without this check a valid entry would run out of gas and be
    /// logged as refused.
    error BatchNeedsMoreGas(uint256 left, uint256 needed);

    modifier onlyInBatch() {
        if (msg.sender != address(this)) revert OnlyInBatch(msg.sender);
        _;
    }

    /// @dev Returns the success and, after a revert, the first REASON_BYTES of its data.
    function _tryEntry(bytes memory entry) internal returns (bool done, bytes memory reason) {
        // A call forwards at most 63/64 of the remaining gas.
        uint256 needed = (ENTRY_GAS * 64) / 63 + RESERVE_GAS;
        if (gasleft() < needed) revert BatchNeedsMoreGas(gasleft(), needed);

        uint256 entryGas = ENTRY_GAS;
        uint256 limit = REASON_BYTES;
        assembly ("memory-safe") {
            done := call(entryGas, address(), 0, add(entry, 0x20), mload(entry), 0, 0)
            reason := mload(0x40)
            let size := 0
            if iszero(done) {
                size := returndatasize()
                if gt(size, limit) {
                    size := limit
                }
            }
            mstore(reason, size)
            returndatacopy(add(reason, 0x20), 0, size)
            mstore(0x40, add(add(reason, 0x20), and(add(size, 31), not(31))))
        }
    }
}
