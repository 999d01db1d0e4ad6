// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/**
 * @title Signers
 * @notice Roles: the owner (a cold key) adds and removes signers (hot keys), which mint and deliver.
 * @dev Several signers may be active, for key rotation: a stand-by is a signer from the deployment on whose key lies
 * elsewhere. Removing all signers stops minting and delivery at once; this is the emergency stop. The contracts are not
 * pausable, because a pause would also block transfers of token holders.
 */
abstract contract Signers is Ownable2Step {
    /// @notice Time between the announcement of what gives signers more power and its effect, for holders to notice it.
    /// What takes power away has no delay.
    uint256 public constant DELAY = 48 hours;

    /// @notice From when on an address is a signer, in seconds since 1970; zero for an address that is none.
    mapping(address account => uint256 time) public signerFrom;

    event SignerAdded(address indexed signer, uint256 from);
    event SignerRemoved(address indexed signer);

    /// @notice The caller is not a signer, or not yet.
    error NotSigner(address caller);
    /// @notice The zero address and the contract itself cannot be signers.
    error SignerInvalid(address signer);
    /// @notice The signer to add is one already or announced, or the signer to remove is neither.
    error SignerUnchanged(address signer);
    /// @notice Ownership cannot be renounced: without an owner a leaked signer key could not be removed.
    error OwnershipCannotBeRenounced(address owner);

    modifier onlySigner() {
        if (!isSigner(msg.sender)) revert NotSigner(msg.sender);
        _;
    }

    constructor(address owner, address[] memory signers) Ownable(owner) {
        for (uint256 i = 0; i < signers.length; ++i) {
            _addSigner(signers[i], block.timestamp);
        }
    }

    /// @notice Adds a signer: at once while the contract is not in use, afterwards DELAY later without another call.
    function addSigner(address signer) external onlyOwner {
        _addSigner(signer, _extensionFrom());
    }

    /// @notice Removes a signer, or cancels its announcement, at once. To add it again waits anew.
    function removeSigner(address signer) external onlyOwner {
        if (signerFrom[signer] == 0) revert SignerUnchanged(signer);
        delete signerFrom[signer];
        emit SignerRemoved(signer);
    }

    function isSigner(address account) public view returns (bool) {
        uint256 from = signerFrom[account];
        return from != 0 && block.timestamp >= from;
    }

    function renounceOwnership() public view override onlyOwner {
        revert OwnershipCannotBeRenounced(owner());
    }

    /// @dev From when on what gives signers more power may take effect, when it is announced now.
    function _extensionFrom() internal view returns (uint256) {
        return _isInUse() ? block.timestamp + DELAY : block.timestamp;
    }

    /// @dev Whether tokens depend on the signers.
    function _isInUse() internal view virtual returns (bool);

    function _addSigner(address signer, uint256 from) private {
        if (signer == address(0) || signer == address(this)) revert SignerInvalid(signer);
        if (signerFrom[signer] != 0) revert SignerUnchanged(signer);
        signerFrom[signer] = from;
        emit SignerAdded(signer, from);
    }
}
