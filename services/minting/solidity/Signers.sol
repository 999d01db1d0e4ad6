// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/**
 * @title Who may act: a cold owner who appoints, and hot signers who work.
 * @dev Several signers may hold the role at once, because a key is rotated while its last transactions are still in
 * flight: add the new one, drain the old one, remove it. Removing every signer stops all work in one transaction;
 * that is the emergency brake, and why neither contract is pausable: a pause would also trap the tokens of holders.
 */
abstract contract Signers is Ownable2Step {
    mapping(address account => bool) public isSigner;

    event SignerAdded(address indexed signer);
    event SignerRemoved(address indexed signer);

    /// @notice Only an appointed signer may call this.
    error NotSigner(address caller);
    /// @notice The zero address and contracts' own addresses cannot sign; naming one is a mistake in configuration.
    error SignerInvalid(address signer);
    /// @notice Adding a signer twice, or removing one that is none, is most likely a typo in the address.
    error SignerUnchanged(address signer);
    /// @notice Without an owner a leaked signer key could never be removed again.
    error OwnershipCannotBeRenounced(address owner);

    modifier onlySigner() {
        if (!isSigner[msg.sender]) revert NotSigner(msg.sender);
        _;
    }

    constructor(address owner, address signer) Ownable(owner) {
        _addSigner(signer);
    }

    function addSigner(address signer) external onlyOwner {
        _addSigner(signer);
    }

    function removeSigner(address signer) external onlyOwner {
        if (!isSigner[signer]) revert SignerUnchanged(signer);
        isSigner[signer] = false;
        emit SignerRemoved(signer);
    }

    function renounceOwnership() public view override onlyOwner {
        revert OwnershipCannotBeRenounced(owner());
    }

    function _addSigner(address signer) private {
        if (signer == address(0) || signer == address(this)) revert SignerInvalid(signer);
        if (isSigner[signer]) revert SignerUnchanged(signer);
        isSigner[signer] = true;
        emit SignerAdded(signer);
    }
}
