// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/**
 * @title Signers
 * @notice Roles: the owner (a cold key) adds and removes signers (hot keys), which mint and deliver.
 * @dev Several signers may be active, for key rotation: add the new signer, drain the old one, remove it. Removing all
 * signers stops minting and delivery at once; this is the emergency stop. The contracts are not pausable, because a
 * pause would also block transfers of token holders.
 */
abstract contract Signers is Ownable2Step {
    mapping(address account => bool) public isSigner;

    event SignerAdded(address indexed signer);
    event SignerRemoved(address indexed signer);

    /// @notice The caller is not a signer.
    error NotSigner(address caller);
    /// @notice The zero address and the contract itself cannot be signers.
    error SignerInvalid(address signer);
    /// @notice The signer to add is one already, or the signer to remove is none.
    error SignerUnchanged(address signer);
    /// @notice Ownership cannot be renounced: without an owner a leaked signer key could not be removed.
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
