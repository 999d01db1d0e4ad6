// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

// Recipients and wallets for the tests.

/// @notice Accepts every token, and makes one prepared call from its receiver hook.
contract ReentrantWallet is IERC721Receiver {
    address public target;
    bytes public action;
    bool public succeeded;
    bytes public answer;

    function prepare(address target_, bytes calldata action_) external {
        (target, action) = (target_, action_);
    }

    function act(address target_, bytes calldata action_) external {
        (bool done, bytes memory result) = target_.call(action_);
        if (!done) {
            assembly {
                revert(add(result, 0x20), mload(result))
            }
        }
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        if (target != address(0)) (succeeded, answer) = target.call(action);
        return IERC721Receiver.onERC721Received.selector;
    }
}

/// @notice A contract without a receiver hook.
contract NoReceiver {}

contract RejectingWallet {
    error NotToday(uint256 id);

    function onERC721Received(address, address, uint256 id, bytes calldata) external pure returns (bytes4) {
        revert NotToday(id);
    }
}

contract WrongAnswerWallet {
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return 0xdeadbeef;
    }
}

contract GasBurningWallet {
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        while (true) {}
        return 0;
    }
}

/// @notice Reverts with 100 kB of data, which costs gas to copy.
contract VerboseWallet {
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        assembly {
            revert(0, 100000)
        }
    }
}

/// @notice A contract wallet (ERC-1271) whose owner signs.
contract SignedWallet is ReentrantWallet {
    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return ECDSA.recover(hash, signature) == _owner ? this.isValidSignature.selector : bytes4(0);
    }
}

/// @notice Accepts a token in a simulation, which has no gas price, and burns all its gas in a block.
contract GasTrapWallet {
    function onERC721Received(address, address, uint256, bytes calldata) external view returns (bytes4) {
        while (tx.gasprice > 0) {}
        return IERC721Receiver.onERC721Received.selector;
    }
}

/// @notice Reverts with prepared data, such as an error of our contracts; on request only in blocks, not in simulations.
contract ForgingWallet {
    bytes private _data;
    bool private immutable _onlyInBlocks;

    constructor(bytes memory data, bool onlyInBlocks) {
        (_data, _onlyInBlocks) = (data, onlyInBlocks);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external view returns (bytes4) {
        if (_onlyInBlocks && tx.gasprice == 0) return IERC721Receiver.onERC721Received.selector;
        bytes memory data = _data;
        assembly {
            revert(add(data, 0x20), mload(data))
        }
    }
}
